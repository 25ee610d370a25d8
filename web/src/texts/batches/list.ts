// The list of batches
export const yourBatches = 'Your batches';
export const batchColumns = {
  select: 'Select',
  state: 'State',
  name: 'Name',
  prompt: 'Prompt',
  progress: 'Progress',
  answered: 'Answered',
  failed: 'Failed',
  charged: 'Charged',
  started: 'Started',
  actions: 'Actions',
} as const;
export const sortBy = 'Sort by';
export const batchOrders = {
  newest: 'Newest first',
  oldest: 'Oldest first',
  name: 'Name',
  failed: 'Most failed rows',
  charged: 'Most submissions charged',
} as const;
export const selectAll = 'Select all on this page';
export const selectBatch = (name: string) => `Select ${name}`;
export const selected = (count: number) => `${count} selected`;
export const downloadSelected = 'Download';
export const deleteSelected = 'Delete';
export const clearSelection = 'Clear selection';
export const noneToDelete = (count: number) =>
  count === 1 ? 'Stop the batch first to delete it.' : 'Stop the batches first to delete them.';
export const deleteManyTitle = (count: number) =>
  count === 1 ? 'Delete this batch?' : `Delete ${count} batches?`;
export const deleteManyEffect =
  'Prompts and answers are deleted for good. What they cost still counts on your dashboard.';
export const deleteManySkips = (count: number) =>
  count === 1
    ? '1 of them has not ended yet and stays.'
    : `${count} of them have not ended yet and stay.`;
export const deletedMany = (count: number) =>
  count === 1 ? 'Batch deleted.' : `${count} batches deleted.`;
export const rename = 'Rename';
export const renameTitle = 'Rename the batch';
export const newName = 'Name';
export const perPage = 'Batches per page';
export const searchHint = 'Name or prompt';
export const newBatch = 'New batch';
export const noMatchingBatches = 'No matching batches.';
export const searchedNewest = (names: string, prompts: string) =>
  `Searched the names of the newest ${names} batches and the prompts of the newest ${prompts}.`;
export const showAllBatches = 'Show all batches';
export const noBatches = 'No batches yet. Upload a spreadsheet and run a prompt over its rows.';
export const createRequest = 'Create a Request';
export const trySample = 'Try the sample';
