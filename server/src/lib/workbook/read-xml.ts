import { SaxesParser } from 'saxes';
import * as texts from '../../texts/sheets.ts';
import { SheetRefused } from '../csv/sheet.ts';
import { workbookLimits, workbookTooLarge } from './limits.ts';

export interface XmlReader {
  /** The name without its namespace. */
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
  close?(name: string): void;
  text?(text: string): void;
  /** Asked after each piece; true ends the reading early. */
  isDone?(): boolean;
  /** Runs after each piece. */
  afterPiece?(): Promise<void>;
}

/**
 * Reads a part without holding it in memory. `saxes` knows only XML's own entities, and a document
 * type, which could declare others, is refused.
 */
export async function readXml(pieces: AsyncIterable<Buffer>, reader: XmlReader): Promise<void> {
  const parser = new SaxesParser({ position: false, fragment: false });
  let depth = 0;
  let quiet = 0;
  parser.on('error', (cause) => {
    throw Object.assign(new SheetRefused('unreadable', texts.damagedWorkbook), { cause });
  });
  parser.on('doctype', () => {
    throw new SheetRefused('unreadable', texts.workbookWithEntities);
  });
  parser.on('opentag', ({ name, attributes }) => {
    quiet = 0;
    depth += 1;
    if (depth > workbookLimits.depth) throw new SheetRefused('unreadable', texts.damagedWorkbook);
    reader.open?.(localName(name), attributes as Record<string, string>);
  });
  parser.on('closetag', ({ name }) => {
    quiet = 0;
    depth -= 1;
    reader.close?.(localName(name));
  });
  const takeText = (text: string) => {
    quiet = 0;
    reader.text?.(text);
  };
  parser.on('text', takeText);
  parser.on('cdata', takeText);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  for await (const piece of pieces) {
    decoder ??= decoderFor(piece);
    const text = decoder.decode(piece, { stream: true });
    quiet += text.length;
    if (quiet > workbookLimits.quietCharacters) throw workbookTooLarge();
    parser.write(text);
    await reader.afterPiece?.();
    if (reader.isDone?.()) return;
  }
  parser.write(decoder?.decode() ?? '').close();
}

function localName(name: string): string {
  const colon = name.indexOf(':');
  return colon < 0 ? name : name.slice(colon + 1);
}

const declaredEncoding = /^<\?xml[^>]{1,100}encoding=["']([\w-]{1,40})["']/;

function encodingOf(head: Buffer): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le';
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be';
  const [, label = 'utf-8'] = declaredEncoding.exec(head.toString('latin1', 0, 200)) ?? [];
  // Its bytes are readable, so UTF-16 is what the program had before it wrote them.
  return /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderFor(head: Buffer): InstanceType<typeof TextDecoder> {
  const label = encodingOf(head);
  try {
    return new TextDecoder(label);
  } catch (cause) {
    throw Object.assign(new SheetRefused('unreadable', texts.unknownEncoding(label)), { cause });
  }
}
