// All towns lie around one lake, with an island of ore in its middle.

Engine.LoadLibrary("battlelands");

function* GenerateMap(mapSettings)
{
	const size = mapSettings.Size, players = countPlayers(mapSettings), corners = size + 1;
	const turn = draw(0, FULL_TURN);
	const starts = startsOnCircle(size, players, size * 0.35, turn);
	const shore = size * 0.2, isle = size * 0.055;
	const rolling = noise(corners, 18), ragged = noise(corners, 14), bays = noise(corners, size / 7);
	yield 20;

	// The further from the middle the higher: the isle, the lake, its shores, a rim of hills.
	const heights = new Float64Array(corners * corners);
	for (let z = 0; z < corners; ++z)
		for (let x = 0; x < corners; ++x)
		{
			const at = z * corners + x, middle = Math.hypot(x - size / 2, z - size / 2);
			const away = middle + ragged[at] * 2.5 + bays[at] * size * 0.035;
			const lake = -7 + 10.5 * smooth((away - shore) / 9 + 0.5) + 12 * smooth((isle - away) / 6 + 0.5);
			const rim = smooth((away - size * 0.4) / (size * 0.07)) * (8 + ragged[at] * 6);
			const land = smooth((away - shore) / 8 - 0.5);
			heights[at] = lake + rim + land * (rolling[at] + 0.6) * 1.8;
		}
	levelStarts(heights, size, starts, 3.5);
	yield 45;

	const map = new BattleMap(mapSettings, heights);
	map.paintGround();
	yield 60;
	starts.forEach((start, number) => map.placeBase(number + 1, start.x, start.z));
	starts.forEach(start => map.placeStartingResources(start));
	yield 75;

	const anywhere = tile => map.land[tile], between = turn + Math.PI / players;
	const middle = { "x": size / 2, "z": size / 2 };
	for (let number = 0; number < players; ++number)
		map.placeGroup(number % 2 ? map.biome.stone : map.biome.metal, 1,
			map.findSpot(middle.x, middle.z, 0, isle, anywhere, 1), 0, 2);
	for (const { x, z } of startsOnCircle(size, players, size * 0.33, between))
	{
		for (const mine of [map.biome.metal, map.biome.stone])
			map.placeGroup(mine, 1, map.findSpot(x, z, 0, 7, anywhere, 2), 0, 3);
		for (let wood = 0; wood < 3; ++wood)
			map.plantForest(map.woods(40), map.findSpot(x, z, 0, size * 0.14, anywhere), anywhere);
		map.placeGroup(map.biome.hunt, 6, map.findSpot(x, z, 0, size * 0.12, anywhere), 1.6, 0);
	}
	// Woods on the rim and around the lake, the same way from each town.
	for (const { x, z } of startsOnCircle(size, 4 * players, size * 0.45, turn + Math.PI / players / 4))
		map.plantForest(map.woods(size / 5), map.findSpot(x, z, 0, size * 0.05, anywhere), anywhere);
	const lake = { ...middle, "radius": shore + 4 };
	const tries = 10 + size * size / players / 700;
	for (const { x, z, radius } of placesForAll(size, starts, tries, 6, 11, 25, [lake]))
		map.plantForest(map.woods(radius * 7), map.findSpot(x, z, 0, 4, anywhere), anywhere);
	map.scatterTrees(400);
	yield 90;
	const deep = tile => map.water[tile];
	for (const { x, z } of startsOnCircle(size, 2 * players, (shore + isle) / 2, turn))
		map.placeGroup(map.biome.fish, 1, map.findSpot(x, z, 0, size * 0.08, deep), 0, 4);
	return map.finished();
}
