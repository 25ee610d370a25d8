import type { CataloguePack } from '@rowmill/contract';
import { formatMoney, formatNumber } from '../../../lib/format.ts';
import { Button } from '../../../ui/button.tsx';
import { CatalogueTable } from './catalogue-table.tsx';

interface Props {
  packs: readonly CataloguePack[];
  onEdit: (id: string | null) => void;
}

const comparedRows = 100;
const titles = ['Price', 'Submissions', `${comparedRows} answered rows cost`] as const;

export function PacksSection({ packs, onEdit }: Props) {
  const isNothingSold = packs.every(({ is_sold }) => !is_sold);
  return (
    <section className="card" aria-labelledby="packs-title">
      <div className="spread">
        <h2 id="packs-title">Packs</h2>
        <Button variant="secondary" aria-haspopup="dialog" onClick={() => onEdit(null)}>
          Add a pack
        </Button>
      </div>
      {isNothingSold && <p role="status">No pack is on sale. Nobody can buy submissions until one is.</p>}
      {packs.length > 0 && <CatalogueTable label="Table of packs" titles={titles} rows={packs.map(rowOf)} onEdit={onEdit} />}
    </section>
  );
}

function rowOf({ id, name, count, rate_minor, currency, is_sold }: CataloguePack) {
  return {
    id,
    name,
    marks: is_sold ? [] : ['Withdrawn'],
    cells: [
      formatMoney(rate_minor, currency),
      formatNumber(count),
      formatMoney(Math.round((rate_minor * comparedRows) / count), currency),
    ],
  };
}
