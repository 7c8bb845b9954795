import PresentmentCommand

PresentmentProgram.run()
