import * as texts from '../../texts/sheets.ts';
import { SheetRefused } from '../csv/sheet.ts';
import { type CellFormat, cellFormat } from './cell-formats.ts';
import { workbookLimits, workbookTooLarge } from './limits.ts';
import type { PackedParts } from './packed-parts.ts';
import { readXml } from './read-xml.ts';
import { SharedStrings } from './shared-strings.ts';

export interface WorksheetPart {
  name: string;
  isHidden: boolean;
  path: string;
}

/** What the cells of every sheet refer to. */
export type Workbook = Awaited<ReturnType<typeof readWorkbook>>;

interface Relation {
  type: string;
  path: string;
}

export async function readWorkbook(parts: PackedParts) {
  const path = await findWorkbook(parts);
  const relations = await readRelations(parts, path);
  const { sheets, is1904 } = await readSheetList(parts, path, relations);
  if (sheets.length === 0) throw new SheetRefused('unreadable', texts.workbookWithoutSheet);
  const partOf = (type: string) => [...relations.values()].find((one) => one.type === type)?.path;
  return {
    sheets,
    is1904,
    formats: await readFormats(parts, partOf('styles')),
    strings: await SharedStrings.read(parts, partOf('sharedStrings')),
  };
}

async function findWorkbook(parts: PackedParts): Promise<string> {
  if (parts.has('content.xml')) throw foreign(texts.openDocument);
  if (parts.has('xl/workbook.bin')) throw foreign(texts.binaryWorkbook);
  if (!parts.has('[Content_Types].xml')) throw foreign(texts.zipArchive);
  const relations = await readRelations(parts, '');
  const main = [...relations.values()].find(({ type }) => type === 'officeDocument')?.path;
  if (!main?.includes('workbook') || !parts.has(main)) throw foreign(texts.otherOfficeFile);
  return main;
}

function foreign(message: string): SheetRefused {
  return new SheetRefused('not_a_sheet', message);
}

/** Relations of a part, by id. Those that lead outside the file are not followed. */
async function readRelations(parts: PackedParts, of: string): Promise<Map<string, Relation>> {
  const relations = new Map<string, Relation>();
  const folder = of.slice(0, of.lastIndexOf('/') + 1);
  const path = `${folder}_rels/${of.slice(folder.length)}.rels`;
  if (!parts.has(path)) return relations;
  await readXml(parts.read(path), {
    open(name, { Id: id, Type: type = '', Target: target, TargetMode: mode }) {
      if (name !== 'Relationship' || !id || !target || mode === 'External') return;
      refuseLongList(relations.size);
      relations.set(id, {
        type: type.slice(type.lastIndexOf('/') + 1),
        path: resolve(folder, target),
      });
    },
  });
  return relations;
}

/** A path within the archive: `../a.xml` and `/xl/a.xml` are both allowed. */
function resolve(folder: string, target: string): string {
  try {
    return decodeURI(new URL(target, `file:///${folder}`).pathname).slice(1);
  } catch (cause) {
    throw Object.assign(new SheetRefused('unreadable', texts.damagedWorkbook), { cause });
  }
}

async function readSheetList(
  parts: PackedParts,
  path: string,
  relations: ReadonlyMap<string, Relation>,
): Promise<{ sheets: WorksheetPart[]; is1904: boolean }> {
  const sheets: WorksheetPart[] = [];
  let is1904 = false;
  await readXml(parts.read(path), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(1|true|on)$/i.test(attributes.date1904 ?? '');
      if (name !== 'sheet') return;
      const id = Object.entries(attributes).find(([key]) => /(^|:)id$/.test(key))?.[1] ?? '';
      const relation = relations.get(id);
      // Sheets that hold only a chart or a macro have no rows.
      if (relation?.type !== 'worksheet' || !parts.has(relation.path)) return;
      refuseLongList(sheets.length);
      const { name: title = '', state } = attributes;
      const shown = title.slice(0, workbookLimits.nameCharacters).toWellFormed();
      sheets.push({ name: shown, isHidden: /hidden/i.test(state ?? ''), path: relation.path });
    },
  });
  return { sheets, is1904 };
}

/** The number format of each cell style. */
async function readFormats(parts: PackedParts, path: string | undefined): Promise<CellFormat[]> {
  const formats: CellFormat[] = [];
  if (!path || !parts.has(path)) return formats;
  const own = new Map<number, string>();
  const known = new Map<number, CellFormat>();
  let isCellStyle = false;
  await readXml(parts.read(path), {
    open(name, { numFmtId: id = '0', formatCode: code }) {
      if (name === 'cellXfs') isCellStyle = true;
      refuseLongList(own.size + formats.length);
      if (name === 'numFmt' && code !== undefined) own.set(Number(id), code);
      if (name !== 'xf' || !isCellStyle) return;
      const shared = known.get(Number(id)) ?? cellFormat(Number(id), own);
      known.set(Number(id), shared);
      formats.push(shared);
    },
    close(name) {
      if (name === 'cellXfs') isCellStyle = false;
    },
  });
  return formats;
}

function refuseLongList(length: number): void {
  if (length >= workbookLimits.listed) throw workbookTooLarge();
}
