// The page of a person's sheets
export const yourSheets = 'Your sheets';
export const tableOfSheets = 'Sheets by upload date';
export const columns = {
  name: 'Sheet',
  rows: 'Rows × columns',
  size: 'Size',
  batches: 'Batches',
  uploaded: 'Uploaded',
} as const;
export const rowsAndColumns = (rows: string, columns: string) => `${rows} × ${columns}`;
export const unused = 'Not used';
export const deletedOn = (date: string) => `Deleted on ${date} if no batch uses it.`;
export const unusedExpire = (days: string) =>
  `A sheet that no batch uses is deleted ${days} days after its upload.`;
export const noSheets = 'You have no sheets. A sheet appears here when you upload one.';
export const search = 'Search by name';
export const noMatchFor = (search: string) => `No sheets match “${search}”.`;
export const showAll = 'Show all sheets';
export const upload = 'Upload a sheet';
export const manageSheets = 'Your sheets and storage';
export const choose = 'Use';
export const sheetIsGone = 'This sheet no longer exists. Upload its file again.';
export const chooseNamed = (name: string) => `Use ${name}`;

// Deleting
export const deleteSheet = 'Delete';
export const deleteNamed = (name: string) => `Delete ${name}`;
export const usedByBatches = 'To delete a sheet that batches use, delete these batches first.';
export const confirmDelete = { title: 'Delete this sheet?', confirm: 'Delete sheet' } as const;
export const deletedForGood = (name: string) =>
  `${name} and its rows are deleted for good. Batches are not affected, because none uses it.`;

// The storage
export const storage = 'Storage';
export const storageUsed = (used: string, quota: string) => `${used} of ${quota} used`;
export const storageCounts = 'Sheets, their rows and all answers count.';
export const storageLow = (used: string, quota: string) =>
  `You have used ${used} of your ${quota} of storage. When it is full, you cannot upload sheets or start batches. Delete sheets or batches that you no longer need.`;
