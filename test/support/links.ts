/** The links of a response as a test compares them. */

/** The links of a response, each as it is written but for the server, which has to be there. */
export const linksIn = (response: Response): ReadonlyArray<string> =>
  (response.headers.get('Link') ?? '')
    .split(/, (?=<)/)
    .filter((link) => link !== '')
    .map((link) => link.replace(/^<http:\/\/[\w.:]+(?=\/)/, '<…'))
