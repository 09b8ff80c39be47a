/** Who is behind a URL: scheme, host and port. */

/** The origin of an absolute URL; the URL itself where it has none. */
export const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url)
