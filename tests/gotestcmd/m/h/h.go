package h

type X int
