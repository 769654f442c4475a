// A river with fords winds through a broad valley; the players hold its banks.

Engine.LoadLibrary("battlelands");

/** A map whose river runs in the direction "turn" from the north, through the middle. */
class Valley
{
	constructor(size)
	{
		this.size = size;
		this.turn = draw(0, FULL_TURN);
		this.bend = draw(0, FULL_TURN);
		this.swing = size * 0.06;
		this.width = 5 + size / 45;
		this.fords = [-0.26, 0, 0.26].map(part => (part + draw(-0.05, 0.05)) * size);
	}

	/** A point as how far it lies along the river, and how far beside its middle. */
	place(x, z)
	{
		const dx = x - this.size / 2, dz = z - this.size / 2;
		const along = dx * Math.sin(this.turn) + dz * Math.cos(this.turn);
		const across = dx * Math.cos(this.turn) - dz * Math.sin(this.turn);
		return { along, "beside": across - this.winding(along) };
	}

	/** How far the river lies beside a straight line. */
	winding(along)
	{
		return this.swing * Math.sin(this.bend + along / this.size * FULL_TURN * 1.4);
	}

	/** The point of a place along and beside the river. */
	point(along, beside)
	{
		const across = beside + this.winding(along);
		return {
			"x": this.size / 2 + along * Math.sin(this.turn) + across * Math.cos(this.turn),
			"z": this.size / 2 + along * Math.cos(this.turn) - across * Math.sin(this.turn)
		};
	}

	/** The height of a point: the bed, the fords, meadows, then the sides of the valley. */
	height(x, z, rolling, ragged)
	{
		const { along, beside } = this.place(x, z);
		const away = Math.abs(beside) + ragged * 2;
		const ford = Math.max(...this.fords.map(each => smooth(2.2 - Math.abs(along - each) / 4)));
		const bed = -4.5 + 4.2 * ford, meadow = 3 + (rolling + 0.6) * 1.2;
		const bank = smooth((away - this.width / 2) / 4);
		const side = smooth((away - this.size * 0.3) / (this.size * 0.14));
		return bed + (meadow - bed) * bank + side * (13 + ragged * 7);
	}
}

function* GenerateMap(mapSettings)
{
	const size = mapSettings.Size, players = countPlayers(mapSettings), corners = size + 1;
	const valley = new Valley(size);
	yield 5;
	const rolling = noise(corners, 20), ragged = noise(corners, 11);
	yield 20;

	// The players take turns on the two banks, those of a bank in equal distances.
	const starts = [];
	for (let number = 0; number < players; ++number)
	{
		const bank = number % 2 ? 1 : -1, here = Math.ceil((players - number % 2) / 2);
		const along = ((Math.floor(number / 2) + 0.5) / here - 0.5) * size * 0.66;
		starts.push({ along, bank, "town": valley.point(along, bank * size * 0.19) });
	}
	const heights = new Float64Array(corners * corners);
	for (let z = 0; z < corners; ++z)
		for (let x = 0; x < corners; ++x)
		{
			const at = z * corners + x;
			heights[at] = valley.height(x, z, rolling[at], ragged[at]);
		}
	levelStarts(heights, size, starts.map(start => start.town), 3.5);
	yield 45;

	const map = new BattleMap(mapSettings, heights);
	map.paintGround();
	yield 60;
	starts.forEach(({ town }, number) => map.placeBase(number + 1, town.x, town.z));
	starts.forEach(({ town }) => map.placeStartingResources(town));
	yield 75;

	// Behind each town mines and woods on the side of the valley, game in the meadow before it.
	const anywhere = tile => map.land[tile];
	for (const { along, bank } of starts)
	{
		const side = valley.point(along, bank * (size * 0.19 + Math.min(26, size * 0.13)));
		for (const mine of [map.biome.metal, map.biome.stone])
			map.placeGroup(mine, 1, map.findSpot(side.x, side.z, 0, 7, anywhere, 2), 0, 3);
		for (let wood = 0; wood < 3; ++wood)
			map.plantForest(map.woods(60), map.findSpot(side.x, side.z, 4, 20, anywhere), anywhere);
		const meadow = valley.point(along, bank * size * 0.08);
		map.placeGroup(map.biome.hunt, 5, map.findSpot(meadow.x, meadow.z, 0, 12, anywhere), 1.6, 0);
	}

	// Where nobody lives, up and down the river, woods and a mine on each bank.
	for (const bank of [-1, 1])
		for (const end of [-1, 1])
		{
			const { x, z } = valley.point(end * size * 0.4, bank * size * 0.14);
			const mine = bank * end > 0 ? map.biome.stone : map.biome.metal;
			map.placeGroup(mine, 1, map.findSpot(x, z, 0, 10, anywhere, 2), 0, 3);
			map.plantForest(map.woods(80), map.findSpot(x, z, 3, 14, anywhere), anywhere);
		}
	// Woods anywhere else, in pairs on both banks.
	for (let pair = 0; pair < size * size / 4000; ++pair)
	{
		const along = draw(-0.45, 0.45) * size, beside = draw(0.1, 0.42) * size;
		const places = [-1, 1].map(bank => valley.point(along, bank * beside));
		if (places.every(({ x, z }) => starts.every(({ town }) => Math.hypot(x - town.x, z - town.z) > 30)))
			for (const { x, z } of places)
				map.plantForest(map.woods(65), map.findSpot(x, z, 0, 5, anywhere), anywhere);
	}
	map.scatterTrees(400);
	yield 90;
	for (let school = -4; school <= 4; ++school)
	{
		const { x, z } = valley.point(school / 10 * size, 0);
		map.placeGroup(map.biome.fish, 1, map.findSpot(x, z, 0, 6, tile => map.water[tile], 0), 0, 4);
	}
	return map.finished();
}
