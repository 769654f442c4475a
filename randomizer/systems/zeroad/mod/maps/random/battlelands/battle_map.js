// A map in the making: heights first, then textures, then what stands on it.

/** The height of the water in metres, from the bottom of the world: the height 0 of scripts. */
const WATER_LEVEL = 20;

/** Units of heights in a metre. */
const METRE = 92;

/** A rise in metres from one corner of a tile to another on which nothing is placed. */
const STEEP = 2.5;

/** The first number of an entity; the game itself uses those below. */
const FIRST_ENTITY = 150;

/**
 * A map of settings.Size tiles. heights: by z * (size + 1) + x, in metres above the water.
 * Arrays of tiles are by z * size + x; "free" marks those where something can still be placed.
 */
class BattleMap
{
	constructor(settings, heights)
	{
		this.settings = settings;
		this.size = settings.Size;
		this.heights = heights;
		const biomes = Engine.ReadJSONFile("maps/random/battlelands/biomes.json");
		this.biome = biomes[settings.Biome] || Object.values(biomes)[0];
		this.civs = Engine.ReadJSONFile("maps/random/battlelands/civs.json");
		this.textureNames = [];
		this.entities = [];
		const tiles = this.size * this.size;
		this.textures = new Uint16Array(tiles);
		this.ground = new Float64Array(tiles);
		this.slope = new Float64Array(tiles);
		this.inside = new Uint8Array(tiles);
		this.land = new Uint8Array(tiles);
		this.water = new Uint8Array(tiles);
		this.survey();
		this.free = this.inside.map((inside, tile) => inside && this.slope[tile] < STEEP ? 1 : 0);
	}

	/** Note of each tile its mean height, its slope, and whether it is land, water or the edge. */
	survey()
	{
		const size = this.size, middle = size / 2, heights = this.heights;
		for (let z = 0; z < size; ++z)
			for (let x = 0; x < size; ++x)
			{
				const at = z * (size + 1) + x, tile = z * size + x;
				const a = heights[at], b = heights[at + 1];
				const c = heights[at + size + 1], d = heights[at + size + 2];
				const least = Math.min(a, b, c, d), most = Math.max(a, b, c, d);
				const dx = Math.abs(x + 0.5 - middle), dz = Math.abs(z + 0.5 - middle);
				const edge = this.settings.CircularMap ? Math.hypot(dx, dz) : Math.max(dx, dz);
				this.ground[tile] = (a + b + c + d) / 4;
				this.slope[tile] = most - least;
				this.inside[tile] = edge < middle - MAP_EDGE ? 1 : 0;
				this.land[tile] = least > 0.5 ? 1 : 0;
				this.water[tile] = most < -1.5 ? 1 : 0;
			}
	}

	/** The index of a texture; one that is new is drawn over those before at their edges. */
	textureIndex(texture)
	{
		if (!this.textureNames.includes(texture))
			this.textureNames.push(texture);
		return this.textureNames.indexOf(texture);
	}

	/** Give the tiles for which where(tile) holds a texture. */
	paint(texture, where)
	{
		const index = this.textureIndex(texture);
		for (let tile = 0; tile < this.textures.length; ++tile)
			if (where(tile))
				this.textures[tile] = index;
	}

	/** Give a list of tiles a texture. */
	paintTiles(texture, tiles)
	{
		const index = this.textureIndex(texture);
		for (const tile of tiles)
			this.textures[tile] = index;
	}

	/** Paint the textures of the biome by height and slope, its kinds of ground in patches. */
	paintGround()
	{
		const textures = this.biome.textures, ground = this.ground;
		const patches = noise(this.size, 14);
		const [usual, lush, dry] = textures.main;
		this.paint(usual, () => true);
		this.paint(lush, tile => patches[tile] > 0.35);
		this.paint(dry, tile => patches[tile] < -0.35);
		this.paint(textures.hill, tile => ground[tile] > 7 && this.slope[tile] > 1.2);
		this.paint(textures.cliff, tile => this.slope[tile] > STEEP);
		this.paint(textures.shore, tile => ground[tile] < 1.3);
		this.paint(textures.seabed, tile => ground[tile] < -1.2);
	}

	/** Place an entity, and keep the tiles less than "gap" away free of others. */
	place(template, x, z, gap = 0, player = 0)
	{
		this.entities.push({
			"id": FIRST_ENTITY + this.entities.length,
			"templateName": template,
			"player": player,
			"position": { "x": x, "y": 0, "z": z },
			"rotation": { "x": 0, "y": draw(0, FULL_TURN), "z": 0 }
		});
		this.forTilesAround(x, z, gap, tile => { this.free[tile] = 0; });
	}

	/** Call act(tile, distance) for each tile whose middle lies less than "reach" from a point. */
	forTilesAround(x, z, reach, act)
	{
		const low = middle => Math.max(0, Math.floor(middle - reach));
		const high = middle => Math.min(this.size - 1, Math.ceil(middle + reach));
		for (let row = low(z); row <= high(z); ++row)
			for (let column = low(x); column <= high(x); ++column)
			{
				const away = Math.hypot(column + 0.5 - x, row + 0.5 - z);
				if (away < reach)
					act(row * this.size + column, away);
			}
	}

	/**
	 * A free place for which where(tile) holds, between two distances from a point, with "gap"
	 * tiles free to each side. If there is none a narrower one, then one up to twice as far;
	 * undefined if there is none either.
	 */
	findSpot(x, z, least, most, where, gap = 1)
	{
		const size = this.size;
		const fits = tile => this.free[tile] && where(tile);
		for (const reach of [most, most * 1.5, most * 2])
		{
			const found = [];
			this.forTilesAround(x, z, reach, (tile, away) => {
				if (away >= least && fits(tile))
					found.push(tile);
			});
			for (let wide = gap; wide >= 0 && found.length; --wide)
			{
				const roomy = found.filter(tile => {
					const column = tile % size, row = Math.floor(tile / size);
					for (let dz = -wide; dz <= wide; ++dz)
						for (let dx = -wide; dx <= wide; ++dx)
						{
							const inMap = column + dx >= 0 && column + dx < size &&
								row + dz >= 0 && row + dz < size;
							if (!inMap || !fits(tile + dz * size + dx))
								return false;
						}
					return true;
				});
				if (!roomy.length)
					continue;
				const tile = roomy[drawIndex(roomy.length)];
				return { "x": tile % size + 0.5, "z": Math.floor(tile / size) + 0.5 };
			}
		}
		return undefined;
	}

	/** Place several of a kind around a spot; nothing if there is no spot. */
	placeGroup(template, count, spot, radius, gap)
	{
		if (!spot)
			return;
		for (let number = 0; number < count; ++number)
		{
			const angle = (number + draw(-0.2, 0.2)) / count * FULL_TURN;
			const away = count > 1 ? radius * draw(0.7, 1) : 0;
			this.place(template, spot.x + away * Math.sin(angle), spot.z + away * Math.cos(angle));
		}
		this.forTilesAround(spot.x, spot.z, radius + gap, tile => { this.free[tile] = 0; });
	}

	/**
	 * Plant up to "count" trees of two kinds around a spot, from the middle to a ragged edge, on
	 * the floor of the biome's forests. Returns how many.
	 */
	plantForest(count, spot, where)
	{
		if (!spot)
			return 0;
		const reach = 2 + Math.sqrt(count), tiles = [];
		this.forTilesAround(spot.x, spot.z, reach, (tile, away) => {
			if (this.free[tile] && where(tile))
				tiles.push({ tile, "rank": away + draw(0, reach * 0.45) });
		});
		tiles.sort((one, other) => one.rank - other.rank || one.tile - other.tile);
		const floor = tiles.slice(0, Math.floor(count * 1.5)).map(each => each.tile);
		this.paintTiles(this.biome.textures.forest, floor);
		const first = drawIndex(this.biome.trees.length);
		const kinds = [0, 0, 1].map(next => this.biome.trees[(first + next) % this.biome.trees.length]);
		const chosen = floor.map(tile => ({ tile, "rank": Math.random() }))
			.sort((one, other) => one.rank - other.rank || one.tile - other.tile).slice(0, count);
		for (const { tile } of chosen)
			this.place(kinds[drawIndex(3)], tile % this.size + draw(0.2, 0.8),
				Math.floor(tile / this.size) + draw(0.2, 0.8));
		for (const tile of floor)
			this.free[tile] = 0;
		return chosen.length;
	}

	/** Plant single trees, about one on so many tiles of dry land. */
	scatterTrees(tiles)
	{
		for (let tile = 0; tile < this.free.length; ++tile)
			if (this.free[tile] && this.land[tile] && Math.random() * tiles < 1)
				this.place(this.biome.trees[drawIndex(this.biome.trees.length)],
					tile % this.size + draw(0.2, 0.8), Math.floor(tile / this.size) + draw(0.2, 0.8), 2);
	}

	/**
	 * The civil centre and the first units of a player (from 1), on a paved place. Nomads have the
	 * units alone, on ground that is free for their town.
	 */
	placeBase(player, x, z)
	{
		const civ = this.settings.PlayerData[player].Civ || "athen";
		if (this.settings.Nomad)
			this.forTilesAround(x, z, 7, tile => { this.free[tile] = 0; });
		else
		{
			const paved = [];
			this.forTilesAround(x, z, 5.5, tile => paved.push(tile));
			this.paintTiles(this.biome.textures.road, paved);
			this.place("structures/" + civ + "/civil_centre", x, z, 7, player);
		}
		const units = [];
		for (const [unit, count] of Object.entries(this.civs[civ] || { "support_female_citizen": 4 }))
			units.push(...Array(count).fill(unit));
		units.forEach((unit, number) => {
			const angle = number / units.length * FULL_TURN;
			this.place("units/" + civ + "/" + unit,
				x + 6 * Math.sin(angle), z + 6 * Math.cos(angle), 0, player);
		});
	}

	/** So many trees, fewer where the map is small for its players: there must be room to build. */
	woods(count)
	{
		const tilesEach = this.size * this.size / countPlayers(this.settings);
		return Math.floor(count * Math.min(1, tilesEach / 6000));
	}

	/** What each player finds near the civil centre: the same for all. */
	placeStartingResources(start)
	{
		const { x, z } = start, biome = this.biome, dry = tile => this.land[tile];
		const trees = Math.max(75, this.woods(130));
		for (const mine of [biome.metal, biome.stone])
			this.placeGroup(mine, 1, this.findSpot(x, z, 10, 16, dry, 2), 0, 3);
		this.placeGroup(biome.berries, 6, this.findSpot(x, z, 8, 13, dry, 2), 1.6, 1.5);
		this.placeGroup(biome.chicken, 8, this.findSpot(x, z, 7, 12, dry), 1.5, 0.5);
		this.placeGroup(biome.hunt, 6, this.findSpot(x, z, 13, 24, dry), 1.6, 0);
		for (let clump = 0, planted = 0; clump < 12 && planted < trees; ++clump)
			planted += this.plantForest(Math.min(Math.ceil(trees / 3), trees - planted),
				this.findSpot(x, z, 12, 22, dry), dry);
	}

	/** The map in the form that the game expects. */
	finished()
	{
		const middle = this.size * 2;
		return {
			"size": this.size,
			"height": Uint16Array.from(this.heights, height =>
				Math.min(65535, Math.max(0, Math.floor((height + WATER_LEVEL) * METRE)))),
			"seaLevel": WATER_LEVEL,
			"textureNames": this.textureNames,
			"tileData": { "index": this.textures, "priority": this.textures.slice() },
			"entities": this.entities,
			"Camera": {
				"Position": { "x": middle, "y": 150, "z": middle },
				"Rotation": 0,
				"Declination": Math.PI / 6
			},
			"Environment": this.biome.environment
		};
	}
}
