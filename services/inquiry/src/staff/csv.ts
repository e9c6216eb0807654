/** Comma-separated values after RFC 4180, safe to open in a spreadsheet. */

/** A cell that begins so is run as a formula by Excel, LibreOffice or Google Sheets; East Asian versions read the wide signs too. */
const formula = /^[\s\ufeff]*[=+\-@＝＋－＠|%\t\r]/;

/**
 * One row, with the line end. Every cell is quoted. A cell that would be a formula gets an apostrophe in front, as OWASP advises:
 * the spreadsheet shows it as text.
 */
export function csvRow(cells: readonly (string | null)[]): string {
  return `${cells.map((cell) => `"${safe(cell ?? '').replaceAll('"', '""')}"`).join(',')}\r\n`;
}

function safe(cell: string): string {
  return formula.test(cell) ? `'${cell}` : cell;
}
