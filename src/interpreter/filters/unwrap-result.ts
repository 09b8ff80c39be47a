/** Results of filters that are an `Option` or an `Either` of fp-ts. */

/** Returns the content of an `Option` or an `Either`, and `undefined` for any other value. */
export const unwrapResult = (
  value: unknown,
): { readonly value: unknown } | { readonly error: unknown } | undefined => {
  if (typeof value !== 'object' || value === null || !('_tag' in value)) return undefined
  switch (value._tag) {
    case 'None':
      return { value: undefined }
    case 'Some':
      return 'value' in value ? { value: value.value } : undefined
    case 'Right':
      return 'right' in value ? { value: value.right } : undefined
    case 'Left':
      return 'left' in value ? { error: value.left } : undefined
    default:
      return undefined
  }
}
