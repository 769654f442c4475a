// Hill country, for scripts of every release of the game: they differ in how they hand it over.

/** Makes the map. Yields progress in percent; returns the map. */
function* hillCountry(settings)
{
	const size = settings.Size, players = countPlayers(settings), corners = size + 1;
	const away = size * 0.33;
	const starts = startsOnCircle(size, players, away, draw(0, FULL_TURN));
	const hills = placesForAll(size, starts, 60, 7, 9 + size / 20, 15);
	yield 10;

	// Rolling land, flat where the players start; hills with a broad top and a ragged foot.
	const rolling = noise(corners, 22), ragged = noise(corners, 9);
	const heights = new Float64Array(corners * corners);
	for (let z = 0; z < corners; ++z)
		for (let x = 0; x < corners; ++x)
		{
			const at = z * corners + x;
			const near = Math.min(...starts.map(start => Math.hypot(x - start.x, z - start.z)));
			heights[at] = 4 + (rolling[at] + 0.9) * 1.8 * smooth(near / 8 - 1.2);
		}
	yield 25;
	for (const hill of hills)
	{
		const top = 6 + hill.radius * 0.7;
		for (let z = Math.max(0, Math.floor(hill.z - hill.radius)); z < corners && z <= hill.z + hill.radius; ++z)
			for (let x = Math.max(0, Math.floor(hill.x - hill.radius)); x < corners && x <= hill.x + hill.radius; ++x)
			{
				const at = z * corners + x;
				const inward = 1 - Math.hypot(x - hill.x, z - hill.z) / hill.radius + ragged[at] * 0.16;
				heights[at] += top * smooth(inward * 1.7);
			}
	}
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
		const mine = Math.floor(number / players) % 2 ? map.biome.stone : map.biome.metal;
		map.placeGroup(mine, 1, map.findSpot(hill.x, hill.z, 0, hill.radius * 0.6, anywhere, 1), 0, 3);
		map.plantForest(Math.floor(hill.radius * 2.5),
			map.findSpot(hill.x, hill.z, hill.radius * 0.7, hill.radius * 1.2, anywhere), anywhere);
	});
	yield 85;
	for (const dale of placesForAll(size, starts, 40, 6, 9, 22))
	{
		map.plantForest(Math.floor(dale.radius * 4), map.findSpot(dale.x, dale.z, 0, dale.radius, anywhere), anywhere);
		map.placeGroup(map.biome.hunt, 5, map.findSpot(dale.x, dale.z, 3, dale.radius * 1.6, anywhere), 1.6, 0);
	}
	yield 95;
	return map.finished();
}
