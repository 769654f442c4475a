// What a random map script finds: Engine, the other globals, and the run itself. The value of this
// script is a function of the shared memory (see channel.py) that gives the host's own functions.
// A script can replace every prototype: all that is used after it has begun is captured before.
(function () {
"use strict";

const {
	Array, ArrayBuffer, Atomics, Date, Error, Float64Array, Int32Array, JSON, Map, Math, Number,
	Object, Proxy, ReferenceError, Reflect, Set, SharedArrayBuffer, String, Symbol, SyntaxError, Uint8Array,
	Uint16Array
} = globalThis;
const evaluate = globalThis.eval;
const { apply } = Reflect;
const { floor, max, min } = Math;
const { parse, stringify } = JSON;
const { defineProperty, freeze, isFrozen, keys, getPrototypeOf, setPrototypeOf } = Object;
const { isArray } = Array;
const { isView } = ArrayBuffer;
const now = Date.now;
const fromCharCode = String.fromCharCode;
const isNumber = Number.isFinite;
const later = Function.prototype.call.bind.bind(Function.prototype.call); // method -> function of (this, ...)
const charCodeAt = later(String.prototype.charCodeAt);
const slice = later(String.prototype.slice);
const endsWith = later(String.prototype.endsWith);
const join = later(Array.prototype.join);
const put = later(getPrototypeOf(Uint8Array.prototype).set);
const part = later(getPrototypeOf(Uint8Array.prototype).subarray);
const typedGetter = name =>
	later(Object.getOwnPropertyDescriptor(getPrototypeOf(Uint8Array.prototype), name).get);
const typeName = typedGetter(Symbol.toStringTag);
const bufferOf = typedGetter("buffer");
const offsetOf = typedGetter("byteOffset");
const bytesOf = typedGetter("byteLength");
const mapGet = later(Map.prototype.get);
const mapSet = later(Map.prototype.set);
const setHas = later(Set.prototype.has);
const setAdd = later(Set.prototype.add);
const { load, store, wait } = Atomics;

const MAX_NUMBERS = 1 << 22; // in one array of a map; the largest has 1025 * 1025
const MAX_TEXT = 1 << 25; // characters of the rest of a map; ten thousand entities have 2 million
const MAX_LOGGED = 4000; // characters of one line
const MAX_LINES = 5000;
const MAX_BAD_YIELDS = 100; // in a row

for (const name of ["console", "setTimeout", "clearTimeout", "__timer_manager", "WebAssembly",
	"SharedArrayBuffer", "Atomics"])
	if (!Reflect.deleteProperty(globalThis, name))
		globalThis[name] = undefined;

// -- The shared memory: requests to the host with their answers, progress, log ------------------
const STATE = 0, LENGTH = 1, MORE = 2, PERCENT = 3, LOGGED = 4, LOST = 5;
const IDLE = 0, ASKED = 1, ANSWERED = 2;
const HEAD_BYTES = 64, MESSAGE_UNITS = 1 << 19, LOG_UNITS = 1 << 18;

const shared = new SharedArrayBuffer(HEAD_BYTES + 2 * (MESSAGE_UNITS + LOG_UNITS));
const head = new Int32Array(shared, 0, HEAD_BYTES / 4);
const message = new Uint16Array(shared, HEAD_BYTES, MESSAGE_UNITS);
const logArea = new Uint16Array(shared, HEAD_BYTES + 2 * MESSAGE_UNITS, LOG_UNITS);

function waitForAnswer()
{
	store(head, STATE, ASKED);
	while (load(head, STATE) !== ANSWERED)
		wait(head, STATE, ASKED, 0.1);
}

/** The host's answer to a call: a JSON text. */
function askText(call)
{
	const text = stringify(call);
	const length = text.length;
	if (length > MESSAGE_UNITS)
		return "null";
	for (let i = 0; i < length; ++i)
		message[i] = charCodeAt(text, i);
	store(head, LENGTH, length);
	let answer = "", more = true;
	while (more)
	{
		waitForAnswer();
		const end = load(head, LENGTH);
		for (let from = 0; from < end; from += 4096)
			answer += apply(fromCharCode, null, part(message, from, min(end, from + 4096)));
		more = load(head, MORE) !== 0;
		store(head, LENGTH, 0); // asks for the rest
	}
	store(head, STATE, IDLE);
	return answer;
}

function ask(name, first, second, third)
{
	return parse(askText([name, first, second, third]));
}

function textOf(value)
{
	try { return typeof value === "string" ? value : String(value); }
	catch (_) { return "(a value without a text)"; }
}

let lines = 0;

function tell(level, value)
{
	let text = textOf(value);
	if (text.length > MAX_LOGGED)
		text = slice(text, 0, MAX_LOGGED) + " …";
	let at = load(head, LOGGED);
	if (++lines > MAX_LINES || at + text.length + 2 > LOG_UNITS)
	{
		store(head, LOST, load(head, LOST) + 1);
		return;
	}
	logArea[at++] = level;
	logArea[at++] = text.length;
	for (let i = 0; i < text.length; ++i)
		logArea[at++] = charCodeAt(text, i);
	store(head, LOGGED, at);
}

const LOG = 0, WARN = 1, ERROR = 2, PRINT = 3, PROGRESS = 4;

// -- Progress -----------------------------------------------------------------------------------
let percent = 0, fell = false, beyond = false, odd = false;

function progress(value)
{
	const whole = floor(value);
	if (!odd && !(whole === value && value >= 1 && value <= 100))
	{
		tell(PROGRESS, value); // real scripts do so: it is for the author of the script alone
		odd = true;
	}
	if (!(whole >= percent))
	{
		if (!fell)
			tell(WARN, "the progress fell from " + percent + " to " + textOf(value));
		fell = true;
		return;
	}
	if (whole > 100 && !beyond)
	{
		tell(WARN, "the progress is " + textOf(value) + ", beyond 100");
		beyond = true;
	}
	percent = max(1, min(99, whole));
	store(head, PERCENT, percent);
}

// -- Values -------------------------------------------------------------------------------------
function deepfreeze(value)
{
	if (typeof value !== "object" || value === null || isFrozen(value))
		return value;
	freeze(value);
	const names = keys(value);
	for (let i = 0; i < names.length; ++i)
		deepfreeze(value[names[i]]);
	return value;
}

/** A deep copy that keeps prototypes and what is shared or circular. */
function cloned(value, known)
{
	if (typeof value !== "object" || value === null)
		return value;
	const before = mapGet(known, value);
	if (before !== undefined)
		return before;
	if (isView(value))
		return new value.constructor(value);
	let copy;
	if (isArray(value))
		copy = new Array(value.length);
	else if (value instanceof Map || value instanceof Set)
		copy = new value.constructor();
	else
		copy = setPrototypeOf({}, getPrototypeOf(value));
	mapSet(known, value, copy);
	if (value instanceof Map)
		value.forEach((each, key) => { copy.set(cloned(key, known), cloned(each, known)); });
	else if (value instanceof Set)
		value.forEach(each => { copy.add(cloned(each, known)); });
	const names = keys(value);
	for (let i = 0; i < names.length; ++i)
		copy[names[i]] = cloned(value[names[i]], known);
	return copy;
}

function uneval(value)
{
	if (value === undefined || typeof value === "number" || typeof value === "function")
		return textOf(value);
	if (typeof value === "object" && value !== null)
	{
		const parts = [];
		if (isArray(value))
		{
			for (let i = 0; i < value.length; ++i)
				parts[i] = uneval(value[i]);
			return "[" + join(parts, ", ") + "]";
		}
		const names = keys(value);
		for (let i = 0; i < names.length; ++i)
			parts[i] = stringify(names[i]) + ":" + uneval(value[names[i]]);
		return "({" + join(parts, ", ") + "})";
	}
	return stringify(value);
}

/** JSON has no undefined: empty leaves of templates come as null. */
function withUndefined(value)
{
	if (typeof value !== "object" || value === null)
		return value;
	const names = keys(value);
	for (let i = 0; i < names.length; ++i)
		if (value[names[i]] === null)
			value[names[i]] = undefined;
		else
			withUndefined(value[names[i]]);
	return value;
}

// -- Math.random: rand48, in two halves of 24 bits -------------------------------------------------
const HALF = 0x1000000, A_HIGH = 0x5DE, A_LOW = 0xECE66D;
let high = 0, low = 0;

function seedRandom(seed)
{
	const whole = seed >>> 0;
	high = whole >>> 8;
	low = (whole & 0xFF) * 0x10000 + 0x330E;
}

function random()
{
	const product = A_LOW * low + 0xB;
	const carry = floor(product / HALF);
	high = (A_LOW * high + A_HIGH * low + carry) % HALF;
	low = product - carry * HALF;
	return (high * 128 + (low >>> 17)) / 0x80000000;
}

// -- The map --------------------------------------------------------------------------------------
let exported = null; // the map, copied: {text, described, arrays: [Uint8Array], taken}

/** Adds to a list, also where a script has put a setter in its way. */
function append(list, value)
{
	defineProperty(list, list.length,
		{ __proto__: null, value, enumerable: true, configurable: true, writable: true });
}

/** Copies an array of numbers; null if it is none. Types: a typed array's class, or "Array". */
function numbersOf(value)
{
	if (isView(value))
	{
		const type = typeName(value);
		if (type === undefined) // a DataView
			return null;
		const count = bytesOf(value);
		if (count > 8 * MAX_NUMBERS)
			throw new Error("an array of the map is too long");
		const bytes = new Uint8Array(count);
		put(bytes, new Uint8Array(bufferOf(value), offsetOf(value), count));
		return { type, bytes };
	}
	if (!isArray(value))
		return null;
	const count = value.length;
	if (count > MAX_NUMBERS)
		throw new Error("an array of the map is too long");
	const copy = new Float64Array(count);
	for (let i = 0; i < count; ++i)
	{
		const each = value[i];
		copy[i] = typeof each === "number" ? each : NaN;
	}
	return { type: "Array", bytes: new Uint8Array(bufferOf(copy)) };
}

/** Copies what a script returned. A Proxy or a getter may run code of the script here. */
function collect(map)
{
	if (typeof map !== "object" || map === null)
		throw new Error("the map is not an object but " + (map === null ? "null" : typeof map));
	const arrays = [], described = [];
	const taken = (value, path) => {
		const found = numbersOf(value);
		if (found === null)
			return false;
		append(arrays, found.bytes);
		append(described, { path, type: found.type });
		return true;
	};
	const copied = (source, take, path) => {
		const target = {};
		const names = keys(source);
		for (let i = 0; i < names.length; ++i)
		{
			const name = names[i];
			let value = source[name];
			if (setHas(take, name) && taken(value, path + name))
				continue;
			if (path === "" && name === "tileData" && typeof value === "object" && value !== null)
				value = copied(value, TILE_ARRAYS, "tileData.");
			defineProperty(target, name, { __proto__: null, value, enumerable: true });
		}
		return target;
	};
	const text = stringify(copied(map, MAP_ARRAYS, ""), withNoNumbers);
	if (text.length > MAX_TEXT)
		throw new Error("the map is too large");
	return { text, described: stringify(described), arrays, taken: 0 };
}

/** JSON has null for numbers that are none; the host puts their names instead (engine.py). */
const withNoNumbers = (_, value) =>
	typeof value === "number" && !isNumber(value) ? "\0" + value : value;

const MAP_ARRAYS = new Set(["height"]);
const TILE_ARRAYS = new Set(["index", "indexes", "priority"]);

// -- Libraries and modules --------------------------------------------------------------------------
const loaded = new Set();

function runScript(path, text)
{
	evaluate(text + "\n//# sourceURL=" + path);
}

/** Files of a library come with their outermost let, const and class as var: eval keeps those. */
function loadLibrary(name)
{
	name = textOf(name);
	if (setHas(loaded, name))
		return true;
	setAdd(loaded, name);
	const files = ask("library", name);
	if (files === null)
	{
		tell(ERROR, "there is no library " + name);
		return false;
	}
	for (let i = 0; i < files.length; ++i)
		runScript(files[i][0], files[i][1]);
	return true;
}

const modules = new Map(); // path -> {run, exports, state, waiting}
const NEW = 0, RUNNING = 1, READY = 2;

/** Takes a module as rewritten by module_linking.py: the text of a function of ($exports, $from, $set). */
function addModule(path, text)
{
	const exports = setPrototypeOf({}, null);
	const run = evaluate(text + "\n//# sourceURL=" + path);
	mapSet(modules, path, { run, exports, state: NEW, waiting: [] });
}

/** Runs what sets the imports from a module, where they can be had already. */
function follow(set)
{
	try { set(); }
	catch (thrown) { if (!(thrown instanceof ReferenceError)) throw thrown; }
}

function moduleAt(path)
{
	const module = mapGet(modules, path);
	if (module === undefined)
		throw new Error("there is no module " + path);
	return module;
}

function exportsOf(path)
{
	const module = moduleAt(path);
	if (module.state === NEW)
	{
		const all = () => {
			for (let i = 0; i < module.waiting.length; ++i)
				follow(module.waiting[i]);
			return true;
		};
		module.state = RUNNING;
		const told = value => { all(); return value; };
		const setters = new Proxy({}, { __proto__: null, set: all, get: () => told });
		module.run(module.exports, exportsOf, setters);
		module.state = READY;
		all();
	}
	return module.exports;
}

exportsOf.give = (exports, name, get) => {
	defineProperty(exports, name, { __proto__: null, get, enumerable: true, configurable: true });
};
exportsOf.pass = (exports, path) => {
	const source = exportsOf(path);
	const names = keys(source);
	for (let i = 0; i < names.length; ++i)
		if (names[i] !== "default" && !(names[i] in exports))
			exportsOf.give(exports, names[i], () => source[names[i]]);
};
exportsOf.take = (path, name) => {
	const { exports } = moduleAt(path);
	if (!(name in exports))
		throw new SyntaxError("the module " + path + " exports no " + name);
	return exports[name];
};
/** Sets imports from a module that may not have run yet, or that changes them: now and later. */
exportsOf.late = (path, set) => {
	append(moduleAt(path).waiting, set);
	follow(set);
};

// -- The globals ------------------------------------------------------------------------------------
const templateTexts = new Map();

function templateOf(name)
{
	name = textOf(name);
	let text = mapGet(templateTexts, name);
	if (text === undefined)
	{
		text = askText(["template", name]);
		mapSet(templateTexts, name, text);
	}
	const found = parse(text);
	if (found === null)
		tell(ERROR, "there is no template " + name);
	return found === null ? undefined : withUndefined(found);
}

/** The value of a JSON file; null if it is not there or not JSON. */
function jsonOf(path)
{
	const text = ask("text", path);
	try { return text === null ? null : parse(text); }
	catch (_) { return null; }
}

function civilisations()
{
	const found = {};
	const paths = ask("list", "simulation/data/civs/", false) || [];
	for (let i = 0; i < paths.length; ++i)
		if (endsWith(paths[i], ".json"))
		{
			const civ = jsonOf(paths[i]);
			if (civ !== null)
				found[textOf(civ.Code)] = civ;
		}
	return found;
}

const Engine = freeze({
	LoadLibrary: loadLibrary,
	ReadJSONFile: path => jsonOf(textOf(path)),
	FileExists: path => ask("exists", textOf(path)) === true,
	ListDirectoryFiles: (path, filter, recurse) =>
		ask("list", textOf(path), !!recurse, filter === undefined ? "" : textOf(filter)),
	GetTemplate: templateOf,
	TemplateExists: name => ask("templateExists", textOf(name)) === true,
	FindTemplates: (path, recurse) => ask("findTemplates", textOf(path), !!recurse),
	FindActorTemplates: (path, recurse) => ask("findActorTemplates", textOf(path), !!recurse),
	LoadHeightmapImage: path => ask("heightmapImage", textOf(path)),
	LoadMapTerrain: path => ask("mapTerrain", textOf(path)),
	GetCivData: civilisations,
	GetMicroseconds: () => now() * 1000,
	MaybeGC: () => {},
	ExportMap: map => { exported = collect(map); },
	SetProgress: value => progress(value),
	ProfileStart: () => {},
	ProfileStop: () => {},
	ProfileAttribute: () => {}
});

const define = (name, value) =>
	defineProperty(globalThis, name, { value, enumerable: true, configurable: true, writable: true });

define("Engine", Engine);
define("global", globalThis);
define("print", value => tell(PRINT, value));
define("log", value => tell(LOG, value));
define("warn", value => tell(WARN, value));
define("error", value => tell(ERROR, value));
define("clone", value => cloned(value, new Map()));
define("deepfreeze", deepfreeze);
define("uneval", uneval);
define("TERRAIN_TILE_SIZE", 4);
define("MAP_BORDER_WIDTH", 3);
defineProperty(Math, "random", { value: random, writable: true, configurable: true });

// -- The run ------------------------------------------------------------------------------------------
let settingsText = "{}";

/** What was thrown, in words: [text, stack]. */
function described(thrown)
{
	let text, stack = "";
	try
	{
		if (typeof thrown === "object" && thrown !== null)
		{
			stack = textOf(thrown.stack === undefined ? "" : thrown.stack);
			text = thrown instanceof Error || thrown.message !== undefined ?
				textOf(thrown) : "threw " + slice(stringify(thrown) || "an object", 0, 300);
			if (text === "[object Object]")
				text = textOf(thrown.message);
		}
		else
			text = "threw " + textOf(thrown);
	}
	catch (_)
	{
		text = "threw an object that cannot be described";
	}
	return stringify([slice(text, 0, 2000), slice(stack, 0, 8000)]);
}

/** Runs a function; the text is "" or what it threw. */
function guarded(work)
{
	try { work(); return ""; }
	catch (thrown) { return described(thrown); }
}

/** Runs a generator of a script to its end. */
function drive(generator)
{
	if (typeof generator !== "object" || generator === null || typeof generator.next !== "function")
		throw new Error("the script's generate function is no generator (function*)");
	let bad = 0;
	for (;;)
	{
		const step = bad > 0 ?
			generator.throw(new Error("a script may yield only numbers, its progress")) :
			generator.next();
		if (step.done)
			return step.value;
		if (typeof step.value === "number")
		{
			bad = 0;
			progress(step.value);
		}
		else if (++bad > MAX_BAD_YIELDS)
			throw new Error("the script yields what is no number, again and again");
	}
}

function finish(generate)
{
	if (exported !== null)
		return;
	if (typeof generate !== "function")
		throw new Error("the script calls no Engine.ExportMap and has no generator function GenerateMap");
	let map = drive(generate(parseSettings()));
	if (exported !== null)
		return;
	if (typeof map === "object" && map !== null && typeof map.MakeExportable === "function")
		map = map.MakeExportable();
	if (map === undefined)
		throw new Error("the script returned no map");
	exported = collect(map);
}

const parseSettings = () => deepfreeze(parse(settingsText));

return {
	shared,
	begin: text => {
		settingsText = text;
		const settings = parseSettings();
		define("g_MapSettings", settings);
		if (!isNumber(settings.Seed))
			tell(WARN, "the map settings have no Seed; it is taken as 0");
		seedRandom(isNumber(settings.Seed) ? settings.Seed : 0);
	},
	mark: name => { setAdd(loaded, name); },
	addModule,
	generate: () => guarded(() => finish(globalThis.GenerateMap)),
	generateModule: path => guarded(() => {
		const found = exportsOf(path);
		finish(found.generateMap || found.GenerateMap);
	}),
	text: () => exported.text,
	described: () => exported.described,
	nextArray: () => bufferOf(exported.arrays[exported.taken++])
};
})()
//# sourceURL=host
