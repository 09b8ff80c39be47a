/** The tests in AVA, which fails tests without assertions of its own. */
import test from 'ava'
import { tests } from '../suite.mjs'

for (const [title, run] of tests) test(title, (t) => t.notThrowsAsync(run))
