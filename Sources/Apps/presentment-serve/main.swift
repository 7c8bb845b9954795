import PresentmentServer

await PresentmentServerProgram.run()
