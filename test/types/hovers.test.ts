import { describe } from '../support/describe.ts'
import { startLanguageServer } from '../support/language-server.ts'
import { defineShownTypes } from '../support/shown-types.ts'

describe('types shown by editors', defineShownTypes('hovers', startLanguageServer))
