/** Counts the bytes of parts that are held in memory. */
import type { Reservation } from '../reservation.ts'
import { unread } from '../unread.ts'

/** Throws 503 without free body memory. */
export const receive = (bytes: number, reservation: Reservation | undefined): void => {
  if (reservation?.receive(bytes) === false) throw unread(reservation.rejected())
}
