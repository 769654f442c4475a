// Hills with broad tops between green dales. For release 28 of the game.

Engine.LoadLibrary("battlelands");
Engine.LoadLibrary("hill_country");

export function* generateMap(settings)
{
	return yield* hillCountry(settings);
}
