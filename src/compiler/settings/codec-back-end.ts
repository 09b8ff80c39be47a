/** Which back end runs: the fastest there is, unless the settings say that no source is generated. */
import { interpretedBackEnd } from '../../codec/generated/interpreted/interpreted-back-end.ts'
import type { BackEnd } from '../../codec/generated/compiled-codec.ts'
import { fastestBackEnd } from '../../codec/generated/select-back-end.ts'
import type { Settings } from './settings.ts'

type Choice = Pick<Settings, 'fw.rest.jsonlib.optimization.enable-reflection-free-serializers'>

export const codecBackEnd = (settings: Choice): BackEnd =>
  settings['fw.rest.jsonlib.optimization.enable-reflection-free-serializers']
    ? fastestBackEnd()
    : interpretedBackEnd
