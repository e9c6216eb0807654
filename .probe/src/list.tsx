import { Link, useLoaderData } from '@colonnade/mfe';
import { useState } from 'react';
import s from './list.module.css';
export default function List() {
  const d = useLoaderData<{ secret: string }>();
  const [n, setN] = useState(0);
  return (
    <div className={s.box}>
      <h1>{d.secret}</h1>
      <button type="button" onClick={() => setN(n + 1)}>
        {n}
      </button>
      <Link to="/">home</Link>
    </div>
  );
}
