// Whole numbers in base64 digits of five bits each, the lowest first; a digit from 32 on is not
// the last one of its number.
function unpackNumbers(lines)
{
	const text = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const digits = new Uint8Array(128);
	for (let i = 0; i < 64; ++i)
		digits[text.charCodeAt(i)] = i;

	const numbers = [];
	let number = 0;
	let shift = 0;
	for (const line of lines)
		for (let i = 0; i < line.length; ++i)
		{
			const digit = digits[line.charCodeAt(i)];
			number += (digit & 31) << shift;
			shift += 5;
			if (digit < 32)
			{
				numbers.push(number);
				number = 0;
				shift = 0;
			}
		}
	return numbers;
}

// Each value as its difference to the one before, doubled; odd numbers are negative differences.
function unpackSteps(lines)
{
	const numbers = unpackNumbers(lines);
	const values = new Uint16Array(numbers.length);
	let value = 0;
	for (let i = 0; i < numbers.length; ++i)
	{
		value += numbers[i] % 2 ? -(numbers[i] + 1) / 2 : numbers[i] / 2;
		values[i] = value;
	}
	return values;
}

// Pairs of a value and the number of places that have it.
function unpackRuns(lines, count)
{
	const values = new Uint16Array(count);
	const numbers = unpackNumbers(lines);
	let place = 0;
	for (let i = 0; i < numbers.length; i += 2)
	{
		values.fill(numbers[i], place, place + numbers[i + 1]);
		place += numbers[i + 1];
	}
	return values;
}

function fixedMap(settings)
{
	const size = FIXED_MAP.size;
	const players = settings.PlayerData ? settings.PlayerData.length - 1 : 8;
	const map = {
		"size": size,
		"height": unpackSteps(FIXED_MAP.height),
		"seaLevel": FIXED_MAP.seaLevel,
		"textureNames": FIXED_MAP.textureNames,
		"tileData": {
			"index": unpackRuns(FIXED_MAP.textures, size * size),
			"priority": unpackRuns(FIXED_MAP.priorities, size * size)
		},
		"entities": FIXED_MAP.entities
			.filter(entity => entity[1] <= players)
			.map(([template, player, x, z, angle, id]) => ({
				"id": id,
				"templateName": FIXED_MAP.templates[template],
				"player": player,
				"position": { "x": x, "y": 0, "z": z },
				"rotation": { "x": 0, "y": angle, "z": 0 }
			}))
	};
	if (FIXED_MAP.Camera)
		map.Camera = FIXED_MAP.Camera;
	if (FIXED_MAP.Environment)
		map.Environment = FIXED_MAP.Environment;
	return map;
}
