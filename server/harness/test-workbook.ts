import { buffer } from 'node:stream/consumers';
import { ZipFile } from 'yazl';

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const rootParts = {
  '[Content_Types].xml': '<Types/>',
  '_rels/.rels': `<Relationships><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
};

interface Content {
  /** The inner XML of each sheet's data, by name. */
  sheets: Readonly<Record<string, string>>;
  strings?: string;
  styles?: string;
  hidden?: readonly string[];
  date1904?: boolean;
  /** Parts that replace or join the usual ones. */
  parts?: Readonly<Record<string, string | Buffer>>;
}

/** A workbook with just the parts that a reader needs. */
export async function workbookOf({
  sheets,
  strings = '',
  styles = '',
  hidden = [],
  date1904 = false,
  parts = {},
}: Content): Promise<Buffer> {
  const names = Object.keys(sheets);
  const list = names.map(
    (name, index) =>
      `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"${hidden.includes(name) ? ' state="hidden"' : ''}/>`,
  );
  const links = [
    ...names.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`]),
    ['sharedStrings', 'sharedStrings.xml'],
    ['styles', 'styles.xml'],
  ].map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${relations}/${type}" Target="${target}"/>`,
  );
  return zipOf({
    ...rootParts,
    'xl/workbook.xml': `<workbook xmlns:r="${relations}"><workbookPr date1904="${date1904}"/><sheets>${list.join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${links.join('')}</Relationships>`,
    'xl/sharedStrings.xml': `<sst>${strings}</sst>`,
    'xl/styles.xml': `<styleSheet>${styles}</styleSheet>`,
    ...Object.fromEntries(
      Object.values(sheets).map((data, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet><sheetData>${data}</sheetData></worksheet>`,
      ]),
    ),
    ...parts,
  });
}

export async function zipOf(parts: Readonly<Record<string, string | Buffer>>): Promise<Buffer> {
  const zip = new ZipFile();
  for (const [path, content] of Object.entries(parts))
    zip.addBuffer(typeof content === 'string' ? Buffer.from(content) : content, path);
  zip.end();
  return buffer(zip.outputStream);
}

/** A row of texts, written into the cells themselves. */
export function textRow(...texts: string[]): string {
  return `<row>${texts.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')}</row>`;
}
