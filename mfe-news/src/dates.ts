/**
 * Dates without `Intl`, so that server and browser write the same text whatever their ICU data and time zone.
 * An item carries the date of its UTC time: news is dated by day, and one rule for all readers beats a zone for each.
 */
const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];

/** `2026-11-05`, for `<time dateTime>`. @param time RFC 3339 in UTC */
export function isoDate(time: string): string {
  return time.slice(0, 10);
}

/** `5 November 2026`. @param time RFC 3339 in UTC */
export function longDate(time: string): string {
  return `${day(time)} ${month(time)} ${yearOf(time)}`;
}

/** `5 Nov 2026`. @param time RFC 3339 in UTC */
export function shortDate(time: string): string {
  return `${day(time)} ${month(time).slice(0, 3)} ${yearOf(time)}`;
}

/** `2026`. @param time RFC 3339 in UTC */
export function yearOf(time: string): string {
  return time.slice(0, 4);
}

const day = (time: string): number => Number(time.slice(8, 10));
const month = (time: string): string => months[Number(time.slice(5, 7)) - 1] ?? '';
