/** The audit as text. */
import type { AuditEntry } from './audit-entry.ts';

const columns = ['at', 'by', 'who', 'action', 'account', 'key', 'details'] as const;
/** A spreadsheet must not take it for a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** CSV (RFC 4180): a header, then the entries in their order. */
export function auditCsv(entries: readonly AuditEntry[]): string {
  const rows = entries.map(({ details, ...entry }) => {
    const row = { ...entry, details: Object.keys(details).length === 0 ? '' : JSON.stringify(details) };
    return columns.map((name) => cell(row[name] ?? '')).join(',');
  });
  return [columns.join(','), ...rows].map((row) => `${row}\n`).join('');
}

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
