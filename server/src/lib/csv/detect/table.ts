import { dataColumns, looksLikeData, looksLikeHeader, steadyShare } from './header.ts';

/** Where the table begins among the records of a file. */
export interface TablePlan {
  /** Title rows above the header. */
  skip: number;
  /** 0 when the first row is data. */
  headerRows: number;
  /** Lines that start like this are not rows; empty when there are none. */
  comment: string;
  /** Cells of a usual row. */
  width: number;
}

/** Where the rows begin, and how many cells they have. */
export interface TableStart extends Pick<TablePlan, 'skip' | 'width'> {
  /** Without lines of comments. */
  rows: readonly string[][];
}

const maximumTitles = 20;
const maximumHeaderRows = 3;
const comment = '#';
/** A title has at most this share of the cells of a row, and a header at least the other. */
const titleShare = 1 / 3;
/** A line with fewer delimiters than the rows may hold more, such as a label and its value. */
const shortTitleShare = 1 / 2;
const headerShare = 0.6;
/** Rows and columns of numbers that tell a second header row from a row. */
const rowsToCompare = 3;
const columnsToCompare = 2;
/** They tell a header as well as all rows, of which short ones are thousands. */
const rowsToJudge = 500;
const unknown = /^(?:-+|n\/?a|nan|none|null|unknown|\?)$/i;

export function planTable(
  records: readonly string[][],
  reading: { header?: boolean; hasComments?: boolean } = {},
): TablePlan {
  // A person said that there is no header, so nothing is above the first row.
  if (reading.header === false)
    return { skip: 0, headerRows: 0, comment: '', width: usualWidth(records) };
  const { rows, skip, width } = findTable(records, reading);
  const table = rows.slice(skip, skip + rowsToJudge);
  const headerRows = looksLikeHeader(table) ? countHeaderRows(table) : 0;
  return { skip, headerRows, comment: rows.length < records.length ? comment : '', width };
}

export function findTable(
  records: readonly string[][],
  { hasComments = true }: { hasComments?: boolean } = {},
): TableStart {
  const width = usualWidth(records);
  const isComment = (cells: readonly string[]) =>
    hasComments && startsAsComment(cells) && width > 1 && cells.length !== width;
  // One such row is a header called `#`. Several are values such as order numbers.
  const areValues = records.filter((cells) => startsAsComment(cells) && cells.length === width);
  const rows = areValues.length > 1 ? records : records.filter((cells) => !isComment(cells));
  return { rows, skip: countTitles(rows, width), width };
}

function startsAsComment(cells: readonly string[]): boolean {
  return cells[0]?.startsWith(comment) === true;
}

/** The number of cells that most rows have; of two, the larger one. */
function usualWidth(records: readonly string[][]): number {
  const counts = Map.groupBy(records, ({ length }) => length);
  const [usual] = [...counts].sort((a, b) => b[1].length - a[1].length || b[0] - a[0]);
  return usual?.[0] ?? 0;
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => cell.trim() !== '').length;
}

/** Rows with a cell or two above a wide header. */
function countTitles(rows: readonly string[][], width: number): number {
  const mostOf = ({ length }: readonly string[]) =>
    Math.max(1, Math.floor(width * (length < width ? shortTitleShare : titleShare)));
  const first = rows.findIndex((cells) => filled(cells) > mostOf(cells));
  if (first <= 0 || first > maximumTitles) return 0;
  const [header = [], ...body] = rows.slice(first);
  const steady = body.filter(({ length }) => length === width).length;
  const isTable = body.length > 0 && steady >= body.length * steadyShare;
  return isTable &&
    (width > 2 || isTitleOfTwo(rows.slice(0, first), { header, body })) &&
    filled(header) >= width * headerShare &&
    looksLikeHeader([header, ...body.slice(0, rowsToJudge)])
    ? first
    : 0;
}

/**
 * Of two columns, the second may have no name. So a row with one cell is a title only with an empty
 * row below it, or above a name of numbers or dates.
 */
function isTitleOfTwo(
  titles: readonly string[][],
  { header, body }: { header: readonly string[]; body: readonly string[][] },
): boolean {
  if (!titles.every((cells) => filled(cells.slice(1)) === 0)) return false;
  if (filled(titles.at(-1) ?? []) === 0) return true;
  const columns = body.length >= rowsToCompare ? dataColumns(body) : [];
  return columns.length > 0 && isNamed(header, columns);
}

/** A further header row has names where the rows have numbers and dates. */
function countHeaderRows(table: readonly string[][]): number {
  for (let count = maximumHeaderRows; count > 1; count -= 1) {
    const body = table.slice(count).filter((cells) => filled(cells) > 0);
    if (body.length < rowsToCompare) continue;
    const columns = dataColumns(body);
    const further = table.slice(1, count);
    if (columns.length >= columnsToCompare && further.every((cells) => isNamed(cells, columns)))
      return count;
  }
  return 1;
}

function isNamed(cells: readonly string[], columns: readonly number[]): boolean {
  return columns.every((column) => {
    const cell = (cells[column] ?? '').trim();
    return cell !== '' && !looksLikeData(cell) && !unknown.test(cell);
  });
}
