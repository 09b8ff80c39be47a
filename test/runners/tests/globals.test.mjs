/** The tests in Jest and in Mocha, which define their functions globally. */
import { tests } from '../suite.mjs'

for (const [title, run] of tests) it(title, run)
