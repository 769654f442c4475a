// Smooth shapes: curves without corners, and noise.

const FULL_TURN = 2 * Math.PI;

/** A number from least to below most. */
function draw(least, most)
{
	return least + (most - least) * Math.random();
}

/** A whole number from 0 to below count. */
function drawIndex(count)
{
	return Math.min(count - 1, Math.floor(count * Math.random()));
}

/** 0 up to 0, 1 from 1 on, in between a curve without corners. */
function smooth(part)
{
	const within = Math.min(1, Math.max(0, part));
	return within * within * (3 - 2 * within);
}

/**
 * Smooth noise, about -1 to 1, at the corners of a map: hills and dales some "feature" tiles wide.
 * Returns size * size numbers, by z * size + x.
 */
function noise(size, feature, octaves = 3)
{
	const total = new Float64Array(size * size);
	let weights = 0;
	for (let octave = 0, weight = 1; octave < octaves; ++octave, weight /= 2)
	{
		const width = Math.max(1, feature / Math.pow(2, octave));
		const cells = Math.floor((size - 1) / width) + 2;
		const lattice = new Float64Array(cells * cells).map(() => draw(-1, 1));
		for (let z = 0; z < size; ++z)
		{
			const row = Math.floor(z / width), down = smooth(z / width - row);
			for (let x = 0; x < size; ++x)
			{
				const column = Math.floor(x / width), right = smooth(x / width - column);
				const at = row * cells + column;
				const near = lattice[at] * (1 - right) + lattice[at + 1] * right;
				const far = lattice[at + cells] * (1 - right) + lattice[at + cells + 1] * right;
				total[z * size + x] += weight * (near * (1 - down) + far * down);
			}
		}
		weights += weight;
	}
	return total.map(sum => sum / weights * 1.6);
}
