/** Characters that XML cannot contain or would change, and text that looks like an escape of the workbook format. */
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
