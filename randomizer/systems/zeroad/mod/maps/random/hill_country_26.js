// Hills with broad tops between green dales. For release 26 of the game.

Engine.LoadLibrary("battlelands");
Engine.LoadLibrary("hill_country");

const steps = hillCountry(g_MapSettings);
let step = steps.next();
while (!step.done)
{
	Engine.SetProgress(step.value);
	step = steps.next();
}
Engine.ExportMap(step.value);
