// Where players start, and what lies the same way from each of them.

/** So many tiles at the edge of a map nothing stands: the game's border and one more. */
const MAP_EDGE = 4;

/** The players of a map; Gaia, the first of PlayerData, is none. */
function countPlayers(settings)
{
	return settings.PlayerData.length - 1;
}

/** A place seen from the middle of a map: how far, and in which direction from the north. */
function polar(size, away, angle)
{
	return { "x": size / 2 + away * Math.sin(angle), "z": size / 2 + away * Math.cos(angle) };
}

/** Places for all players on a circle around the middle, in equal distances. */
function startsOnCircle(size, players, away, turn)
{
	return Array.from({ "length": players }, (_, number) =>
		polar(size, away, turn + number * FULL_TURN / players));
}

/** Level the ground around the starts, where the civil centres stand; heights as BattleMap has them. */
function levelStarts(heights, size, starts, level)
{
	const corners = size + 1, reach = 18;
	for (const start of starts)
		for (let z = Math.max(0, Math.ceil(start.z - reach)); z <= Math.min(size, start.z + reach); ++z)
			for (let x = Math.max(0, Math.ceil(start.x - reach)); x <= Math.min(size, start.x + reach); ++x)
			{
				const natural = smooth(Math.hypot(x - start.x, z - start.z) / 8 - 1.2);
				const at = z * corners + x;
				heights[at] = heights[at] * natural + level * (1 - natural);
			}
}

/**
 * Places that lie the same way from every player on a circle: each try is drawn once and turned
 * for each of them. Tries that come too near to a place before, to one of those taken already, or
 * to a start, are given up. Returns places {x, z, radius}.
 */
function placesForAll(size, starts, tries, least, most, gap, taken = [])
{
	const players = starts.length;
	const found = starts.map(start => ({ "x": start.x, "z": start.z, "radius": 0, "start": true }));
	found.push(...taken);
	for (let number = 0; number < tries; ++number)
	{
		const radius = draw(least, most);
		const away = draw(0, size / 2 - MAP_EDGE - radius), turn = draw(0, FULL_TURN);
		const more = startsOnCircle(size, players, away, turn).map(place => ({ ...place, radius }));
		const clear = more.every((place, index) =>
			found.concat(more.slice(0, index)).every(other =>
				Math.hypot(place.x - other.x, place.z - other.z) >
					place.radius + (other.start ? gap : other.radius + 2)));
		if (clear)
			found.push(...more);
	}
	return found.slice(players + taken.length);
}
