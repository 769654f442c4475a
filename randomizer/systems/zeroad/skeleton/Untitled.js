// A new map. Its name and description are in the .json file that is saved beside the script.
export function* generateMap(settings)
{
	const size = settings.Size, players = settings.PlayerData.length - 1, entities = [];
	const place = (templateName, player, x, z) => entities.push({ id: 150 + entities.length,
		templateName, player, position: { x, y: 0, z }, rotation: { x: 0, y: Math.PI, z: 0 } });

	// Flat ground, 3 m above the water: at 23 m, in steps of 1/92 m. The water stands at 20 m.
	const height = new Uint16Array((size + 1) * (size + 1)).fill(23 * 92);

	// The towns stand on a circle around the middle. At 0.5 it would touch the edge of the map.
	const radius = 0.3;
	for (let player = 1; player <= players; ++player)
	{
		const turn = 2 * Math.PI * player / players, civ = settings.PlayerData[player].Civ;
		const x = size * (0.5 + radius * Math.cos(turn));
		const z = size * (0.5 + radius * Math.sin(turn));
		place("structures/" + civ + "/civil_centre", player, x, z);
		yield 80 * player / players; // how far it is, in percent
	}

	// Two textures, named below: a fifth of the tiles (0.2) have the second one.
	const index = new Uint16Array(size * size).map(() => (Math.random() < 0.2 ? 1 : 0));
	return { size, height, entities, seaLevel: 20, tileData: { index, priority: index },
		textureNames: ["temperate_grass_04", "temperate_grass_05"] };
}
