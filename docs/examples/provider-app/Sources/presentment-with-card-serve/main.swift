import MembersCard
import PresentmentServer

await PresentmentServerProgram.run(adding: [MembersCardStyle()])
