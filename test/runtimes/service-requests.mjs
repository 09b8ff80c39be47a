export const runService = async () => 0
