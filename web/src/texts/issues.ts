// What was found in a file and repaired
export const issuesFound = (issues: number, shown: string) =>
  `${shown} ${issues === 1 ? 'issue' : 'issues'} found`;
export const moreIssues = (issues: string) => `and ${issues} more`;
export const issueLine = (line: string) => `Line ${line}`;
export const issueColumn = (column: string) => `column “${column}”`;
export const severalTimes = (message: string, times: string) => `${times} times: ${message}`;
export const showPlaces = 'Show where';
/** As the server names what it left out. */
export const rowsAbove = 'Rows above the table';
export const undoRepair = 'Undo';
export const useAsRow = 'Use it as a row';
export const downloadRepaired = 'Download the repaired file';
export const repairedFileName = (name: string) => `${name} repaired.csv`;
