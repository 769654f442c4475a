// Hill country, for scripts of every release of the game: they differ in how they hand it over.

/** Makes the map. Yields progress in percent; returns the map. */
function* hillCountry(settings)
{
	const size = settings.Size, players = countPlayers(settings), corners = size + 1;
	const away = size * 0.33;
	const starts = startsOnCircle(size, players, away, draw(0, FULL_TURN));
	const summit = { "x": size / 2, "z": size / 2, "radius": 6 + size / 16 };
	const room = size * size / players;
	const hills = [summit, ...placesForAll(size, starts, 15 + room / 600, 7, 9 + size / 20, 15, [summit])];
	yield 10;

	// Rolling land; hills with a broad top and a ragged foot; level ground for the towns.
	const rolling = noise(corners, 22), ragged = noise(corners, 15);
	const heights = rolling.map(height => 4 + (height + 0.9) * 1.8);
	yield 25;
	for (const hill of hills)
	{
		const top = 6 + hill.radius * 0.7, reach = hill.radius * 1.3;
		for (let z = Math.max(0, Math.floor(hill.z - reach)); z < corners && z <= hill.z + reach; ++z)
			for (let x = Math.max(0, Math.floor(hill.x - reach)); x < corners && x <= hill.x + reach; ++x)
			{
				const at = z * corners + x;
				const inward = 1 - Math.hypot(x - hill.x, z - hill.z) / hill.radius + ragged[at] * 0.35;
				heights[at] += top * smooth(inward * 1.7);
			}
	}
	levelStarts(heights, size, starts, 5);
	yield 40;

	const map = new BattleMap(settings, heights);
	map.paintGround();
	yield 55;
	starts.forEach((start, number) => map.placeBase(number + 1, start.x, start.z));
	starts.forEach(start => map.placeStartingResources(start));
	yield 70;

	// On every second hill a mine, woods on its slopes; game and woods in the dales.
	const anywhere = tile => map.land[tile];
	hills.forEach((hill, number) => {
		const mine = Math.ceil(number / players) % 2 ? map.biome.stone : map.biome.metal;
		map.placeGroup(mine, 1, map.findSpot(hill.x, hill.z, 0, 3, anywhere, 1), 0, 3);
		map.plantForest(map.woods(hill.radius * 2.5),
			map.findSpot(hill.x, hill.z, hill.radius * 0.7, hill.radius * 1.2, anywhere), anywhere);
	});
	yield 85;
	for (const dale of placesForAll(size, starts, 10 + room / 800, 6, 9, 22))
	{
		map.plantForest(map.woods(dale.radius * 6), map.findSpot(dale.x, dale.z, 0, dale.radius, anywhere), anywhere);
		map.placeGroup(map.biome.hunt, 5, map.findSpot(dale.x, dale.z, 3, dale.radius * 1.6, anywhere), 1.6, 0);
	}
	map.scatterTrees(400);
	yield 95;
	return map.finished();
}
