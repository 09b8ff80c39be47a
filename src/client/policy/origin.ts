/** Who is behind a URL: scheme, host and port. */
import { parseUrl } from '../../http/parse-url.ts'

/** The origin of an absolute URL; the URL itself where it has none. */
export const originOf = (url: string): string => parseUrl(url)?.origin ?? url
