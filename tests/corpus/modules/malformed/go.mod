module example.com/malformed

go 1.x
go 1.20
foo
