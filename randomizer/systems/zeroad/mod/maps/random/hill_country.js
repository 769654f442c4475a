// Hills with broad tops between green dales. For release 27 of the game.

Engine.LoadLibrary("battlelands");
Engine.LoadLibrary("hill_country");

function* GenerateMap(mapSettings)
{
	return yield* hillCountry(mapSettings);
}
