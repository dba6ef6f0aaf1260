module example.com/newer

go 1.28
