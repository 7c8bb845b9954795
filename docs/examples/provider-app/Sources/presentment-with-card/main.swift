import MembersCard
import PresentmentCommand

PresentmentProgram.run(adding: [MembersCardStyle()])
