export const exclusionFor = () => undefined
