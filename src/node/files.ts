/** Files of the system. */
import type { Files } from '../interpreter/files.ts'
import type { Settings } from '../interpreter/settings.ts'
import { adopt, openFile } from './open-file.ts'
import { uploadsIn } from './uploads.ts'

/** Files as the settings say; nothing is made before it is needed. */
export const filesOf = (settings: Settings): Files => ({
  open: openFile,
  adopt,
  create: uploadsIn(settings['fw.http.body.uploads-directory']),
})
