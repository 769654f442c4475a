// The entity templates of the mods, merged as the game does it.
//
// One expression: a function of the raw trees by template name, [name, attributes, text, children]
// (template_tree.py), that returns what Engine.GetTemplate, TemplateExists and FindTemplates need.
// Templates are merged when they are first asked for. Functions of the language are captured here,
// so that a script that replaces them later changes nothing.
(raw => {
	"use strict";
	const { create, keys, freeze } = Object;
	const call = Function.prototype.call;
	const bound = method => call.bind(method);
	const has = bound(Object.prototype.hasOwnProperty);
	const [indexOf, includes, join, sort, push, filter] = ["indexOf", "includes", "join", "sort", "push", "filter"]
		.map(name => bound(Array.prototype[name]));
	const [textIndex, lastIndex, cut, startsWith, split] = ["indexOf", "lastIndexOf", "slice", "startsWith", "split"]
		.map(name => bound(String.prototype[name]));
	const round = Math.round, toNumber = Number, toText = String;

	const DEPTH_LIMIT = 100;
	const NOT_KEPT = ["replace", "merge", "filtered", "op"];

	// A node: { text, children: null-prototype object by name, attributes as "@name" }.
	const node = () => ({ "text": "", "children": create(null) });

	const copied = old => {
		const made = node();
		made.text = old.text;
		for (const name of keys(old.children))
			made.children[name] = copied(old.children[name]);
		return made;
	};

	const words = text => filter(split(text, /\s+/), word => word !== "");

	const mergedTokens = (before, text) => {
		const tokens = words(before);
		for (const word of words(text))
			if (word[0] === "-") {
				const place = indexOf(tokens, cut(word, 1));
				if (place >= 0)
					tokens.splice(place, 1);
			} else if (!includes(tokens, word))
				push(tokens, word);
		return join(tokens, " ");
	};

	const OPERATIONS = {
		"add": (before, value) => before + value,
		"mul": (before, value) => before * value,
		"mul_round": (before, value) => round(before * value)
	};

	// Five digits hide the binary fraction, as the game's fixed-point numbers do.
	const numberText = value => toText(round(value * 1e5) / 1e5);

	// Lays an element over the child of its name in a parent.
	const lay = (parent, [name, attributes, text, children]) => {
		const marked = mark => has(attributes, mark);
		if (marked("disable") || marked("replace"))
			delete parent.children[name];
		if (marked("disable") || marked("merge") && !(name in parent.children))
			return;
		const there = parent.children[name] ||= node();
		if (marked("op") && has(OPERATIONS, attributes.op))
			there.text = numberText(OPERATIONS[attributes.op](toNumber(there.text), toNumber(text)));
		else if (attributes.datatype === "tokens")
			there.text = mergedTokens(there.text, text);
		else if (!marked("merge"))
			there.text = text;
		const kept = create(null);
		for (const child of children) {
			lay(there, child);
			if (child[0] in there.children)
				kept[child[0]] = there.children[child[0]];
		}
		if (marked("filtered"))
			there.children = kept;
		for (const attribute of keys(attributes))
			if (!includes(NOT_KEPT, attribute)) {
				there.children["@" + attribute] = node();
				there.children["@" + attribute].text = attributes[attribute];
			}
	};

	const plain = merged => {
		const names = sort(keys(merged.children));
		if (!names.length)
			return merged.text === "" ? undefined : merged.text;
		const made = {};
		for (const name of names)
			made[name] = plain(merged.children[name]);
		if (merged.text !== "")
			made._string = merged.text;
		return freeze(made);
	};

	const file = name => {
		for (const folder of ["special/filter/", "mixins/", ""])
			if (has(raw, folder + name))
				return raw[folder + name];
		return undefined;
	};

	const merged = create(null);

	// The merged root of a template, undefined if it or one that it needs is not there.
	const resolve = (name, depth) => {
		if (name in merged)
			return merged[name];
		if (depth > DEPTH_LIMIT)
			return undefined;
		const bar = textIndex(name, "|");
		let root;
		if (startsWith(name, "actor|"))
			root = below("special/actor", depth, ["Entity", {}, "",
				[["VisualActor", {}, "", [["Actor", {}, cut(name, 6), []]]]]]);
		else if (bar >= 0)
			root = below(cut(name, bar + 1), depth, file(cut(name, 0, bar)));
		else {
			const tree = file(name);
			root = tree && has(tree[1], "parent") && tree[1].parent !== "" ?
				below(tree[1].parent, depth, tree) : over(node(), tree);
		}
		return merged[name] = root;
	};

	const over = (root, tree) => {
		if (!root || !tree)
			return undefined;
		lay(root, tree);
		return root;
	};

	const below = (name, depth, tree) => {
		const base = resolve(name, depth + 1);
		return over(base && copied(base), tree);
	};

	const results = create(null);

	return {
		// The children of <Entity> as a frozen object, undefined if there is no such template.
		"get": name => {
			if (name in results)
				return results[name];
			const root = resolve(name, 0);
			const entity = root && root.children.Entity;
			return results[name] = entity && plain(entity);
		},
		"exists": name => has(raw, cut(name, lastIndex(name, "|") + 1)),
		"find": (path, recursive) => filter(sort(keys(raw)), name => {
			if (!startsWith(name, path) || startsWith(name, "special/") || startsWith(name, "mixins/"))
				return false;
			const rest = cut(name, path.length);
			const file = cut(name, lastIndex(name, "/") + 1);
			return !startsWith(file, "template_") && (recursive || textIndex(rest, "/") < 0);
		})
	};
})
