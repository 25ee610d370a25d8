import { styles } from './workbook-parts.ts';

/** Characters that XML cannot contain or would change, and escapes of the workbook format. */
const special = /[&<>\ufffe\uffff]|(?![\t\n])\p{Cc}|_(?=x[\dA-Fa-f]{4}_)/gu;
const hasSpecial = new RegExp(special.source, 'u');
const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '\r': '&#13;',
};

/** A text cell, which Excel neither calculates nor rounds nor reads as a date. */
export function cellXml(reference: string, text: string): string {
  return `<c r="${reference}" t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** A value that Excel calculates with: `integer`, `number`, `boolean` or `date` (ISO). */
export interface TypedCell {
  type: string;
  text: string;
}

/** The first day that all spreadsheets number alike: Excel has a 29 February 1900. */
const firstDay = '1900-03-01';
const dayZero = Date.UTC(1899, 11, 30);
const dayMilliseconds = 86_400_000;
/** Excel keeps no more digits of a number. */
const exactDigits = 15;

/** A number, date, or yes or no, as Excel calculates with it; text if Excel would change it. */
export function typedCellXml(reference: string, { type, text }: TypedCell): string | null {
  if (type === 'boolean') return `<c r="${reference}" t="b"><v>${text === 'Yes' ? 1 : 0}</v></c>`;
  if (type === 'date' && text >= firstDay)
    return `<c r="${reference}" s="${styles.date}"><v>${(Date.parse(text) - dayZero) / dayMilliseconds}</v></c>`;
  const isNumber = type === 'integer' || type === 'number';
  if (isNumber && text.replace(/^-?[0.]*|\./g, '').length <= exactDigits)
    return `<c r="${reference}" s="${styles.number}"><v>${text}</v></c>`;
  return null;
}

/** 0 is A, 26 is AA. */
export function columnLetters(index: number): string {
  const before = Math.floor(index / 26);
  return `${before > 0 ? columnLetters(before - 1) : ''}${String.fromCharCode(65 + (index % 26))}`;
}

function escaped(text: string): string {
  const wellFormed = text.toWellFormed();
  return hasSpecial.test(wellFormed) ? wellFormed.replace(special, escapeOf) : wellFormed;
}

function escapeOf(character: string): string {
  return (
    entities[character] ??
    `_x${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
  );
}
