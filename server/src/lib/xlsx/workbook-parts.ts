/** The second lists the cells of the first that were cut. Without any, there is only the first. */
const sheetNames = ['Results', 'Notes'] as const;
export const sheetPath = (index: number) => `xl/worksheets/sheet${index + 1}.xml`;

/** The formats of cells, in the order of `cellXfs`: text (the default), a number, a date. */
export const styles = { number: 1, date: 2 } as const;

const start = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const packed = 'http://schemas.openxmlformats.org/package/2006';
const spreadsheet = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Every part of a workbook except its sheets. Format 49 is text, also for later edits. */
export function partsAround(sheets: number): Readonly<Record<string, string>> {
  const eachSheet = (write: (index: number, name: string) => string) =>
    sheetNames
      .slice(0, sheets)
      .map((name, index) => write(index, name))
      .join('');
  return {
    '[Content_Types].xml': `${start}<Types xmlns="${packed}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${spreadsheet}.sheet.main+xml"/><Override PartName="/xl/styles.xml" ContentType="${spreadsheet}.styles+xml"/>${eachSheet((index) => `<Override PartName="/${sheetPath(index)}" ContentType="${spreadsheet}.worksheet+xml"/>`)}</Types>`,
    '_rels/.rels': `${start}<Relationships xmlns="${packed}/relationships"><Relationship Id="rId1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `${start}<workbook xmlns="${main}" xmlns:r="${relations}"><sheets>${eachSheet((index, name) => `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"/>`)}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `${start}<Relationships xmlns="${packed}/relationships">${eachSheet((index) => `<Relationship Id="rId${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`)}<Relationship Id="rId${sheets + 1}" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `${start}<styleSheet xmlns="${main}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts><fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills><borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="49" applyNumberFormat="1"/><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>`,
  };
}

const frozenHeader =
  '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

/** Freezes the header row. */
export const sheetStart = (hasHeader: boolean) =>
  `${start}<worksheet xmlns="${main}">${hasHeader ? frozenHeader : ''}<sheetData>`;

/** Otherwise Excel marks every number stored as text. */
export const sheetEnd =
  '</sheetData><ignoredErrors><ignoredError sqref="A1:XFD1048576" numberStoredAsText="1"/></ignoredErrors></worksheet>';
