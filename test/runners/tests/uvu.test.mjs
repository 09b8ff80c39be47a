/** The tests in uvu. */
import { test } from 'uvu'
import { tests } from '../suite.mjs'

for (const [title, run] of tests) test(title, run)
test.run()
