/** A small sheet for those who only want to look. */
export const sampleSheet = {
  name: 'sample-products.csv',
  text: `Name,Material,Price
Arran teapot,"Stoneware, glazed",34.00
Bellwood desk lamp,Brass and linen,89.50
Calder rain jacket,Recycled nylon,120.00
Dunmore wool blanket,Lambswool,75.00
Elm serving board,Oiled elm,42.00
Fennel garden trowel,Ash and steel,18.90
Glenfield backpack,Waxed cotton,110.00
Harbour notebook,Recycled paper,9.50
Inver candle,Beeswax,14.00
Jura whisky glass,Lead-free crystal,22.00
Kestrel pocket knife,Olive wood and steel,55.00
Linden toy boat,Lime wood,27.50
`,
  /** What the tour asks about each of its rows. */
  question: 'Write one friendly sentence that makes people want the {{Name}}, made of {{Material}}.',
} as const;

export function sampleFile(): [file: Blob, name: string] {
  return [new Blob([sampleSheet.text], { type: 'text/csv' }), sampleSheet.name];
}
