/** The 1,000 books of the list workload, about 150 bytes each as JSON. They are the same in every run. */

/**
 * @typedef {object} Book
 * @property {number} id
 * @property {string} title
 * @property {string} author
 * @property {number} year
 * @property {boolean} available
 * @property {string[]} tags zero to three
 * @property {number} price with two decimal places
 */

const authors = [
  'Ada Lovelace',
  'Émilie du Châtelet',
  'Ibn al-Haytham',
  'Mary Somerville',
  'Omar Khayyam',
  'Sofia Kovalevskaya',
  'Srinivasa Ramanujan',
]

const subjects = [
  'the Analytical Engine',
  'the "Principia"',
  'Optics',
  'the Connexion of the Sciences',
  'Problems of Algebra',
  'the Rotation of a Solid Body',
  'Highly Composite Numbers',
  'the Motion of the Moon',
  'Curves and Cubics',
  'the Theory of Heat',
  'Infinite Series',
]

const tags = ['mathematics', 'physics', 'reprint', 'illustrated', 'signed']

/** @type {(values: readonly string[], n: number) => string} */
const pick = (values, n) => values[n % values.length] ?? ''

/** @type {(n: number) => Book} */
const book = (n) => ({
  id: n + 1,
  title: `Notes on ${pick(subjects, n)}, volume ${1 + (n % 12)}`,
  author: pick(authors, n),
  year: 1700 + ((n * 37) % 320),
  available: n % 3 !== 0,
  tags: Array.from({ length: n % 4 }, (_, place) => pick(tags, n + place)),
  price: (499 + ((n * 1_013) % 9_500)) / 100,
})

/** @type {Book[]} */
export const books = Array.from({ length: 1_000 }, (_, n) => book(n))
