/** Whether any XML was declared in the process: where none was, nothing is looked for. */
export const isAnyXml = (): boolean => isAny

export const metXml = (): void => {
  isAny = true
}

let isAny = false
