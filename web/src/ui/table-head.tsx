interface Props {
  columns: readonly string[];
  /** The columns whose values are numbers. */
  amounts?: readonly string[];
}

/** Column titles, which screen readers announce with each cell. */
export function TableHead({ columns, amounts = [] }: Props) {
  return (
    <thead>
      <tr>
        {columns.map((column) => (
          <th key={column} scope="col" className={amounts.includes(column) ? 'amount' : undefined}>
            {column}
          </th>
        ))}
      </tr>
    </thead>
  );
}
