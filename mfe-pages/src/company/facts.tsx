import type { ReactNode } from 'react';
import type { CompanyContent } from '../../content/schema.ts';
import s from './facts.module.css';

/** The profile as a table; on a phone each fact stands under its name. Roles keep it a table there, where its display is not one. */
export function Facts({ facts, labelledBy }: { facts: CompanyContent['profile']['facts']; labelledBy: string }): ReactNode {
  return (
    // biome-ignore lint/a11y/noRedundantRoles: see above
    <table className={s.facts} role="table" aria-labelledby={labelledBy}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <tbody role="rowgroup">
        {facts.map(({ name, value }) => (
          // biome-ignore lint/a11y/noRedundantRoles: see above
          <tr key={name} role="row">
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <th scope="row" role="rowheader">
              {name}
            </th>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <td role="cell">{typeof value === 'string' ? value : <Lines lines={value} />}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <ul>
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
