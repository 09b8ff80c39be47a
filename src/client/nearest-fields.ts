/** Header fields that are said in several places. */
import * as Headers from '../http/headers.ts'

/** All fields, but of one name only those of the last place that has it; names in lower case. */
export const nearest = (places: ReadonlyArray<Headers.Headers>): Headers.Headers => {
  const fields: string[] = []
  for (let at = 0; at < places.length; at++) {
    const place = places[at] ?? Headers.empty
    for (let index = 0; index < place.length; index += 2) {
      const name = (place[index] ?? '').toLowerCase()
      if (!isLater(places, at, name)) fields.push(name, place[index + 1] ?? '')
    }
  }
  return fields
}

const isLater = (places: ReadonlyArray<Headers.Headers>, at: number, lower: string): boolean => {
  for (let later = at + 1; later < places.length; later++)
    if (Headers.first(places[later] ?? Headers.empty, lower) !== undefined) return true
  return false
}
